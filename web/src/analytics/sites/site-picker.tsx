/** Chooses a site, shows its snippet, and registers new sites. */
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Modal } from '../../kit/controls/modal.js';
import { Icon } from '../../kit/display/icon.js';
import { useRole } from '../../shell/access.js';
import styles from './pickers.module.css';
import { RegisterSiteForm, SiteSnippet } from './site-form.js';
import type { Site } from './sites.js';

interface SitePickerProps {
  readonly sites: readonly Site[];
  readonly site: Site;
  readonly onChoose: (host: string) => void;
}

export function SitePicker({ sites, site, onChoose }: SitePickerProps) {
  const [registers, setRegisters] = useState(false);
  const [snippetOf, setSnippetOf] = useState<Site | null>(null);
  const administers = useRole('ADMIN');
  // The new site is selected once its snippet is closed: switching sites remounts the page and would close the dialog.
  const registered = (added: Site) => {
    setRegisters(false);
    setSnippetOf(added);
  };
  const closeSnippet = () => {
    setSnippetOf(null);
    if (snippetOf && snippetOf.host !== site.host) onChoose(snippetOf.host);
  };
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={`button ${styles.site}`} aria-label={`Site: ${site.host}. Choose another`}>
          <Icon name="globe" />
          <span className="cut">{site.host}</span>
          <Icon name="chevron" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={`menu ${styles.menu}`} align="start" sideOffset={6}>
            <DropdownMenu.RadioGroup value={site.host} onValueChange={onChoose}>
              {sites.map(({ host }) => (
                <DropdownMenu.RadioItem key={host} className="menu-item" value={host}>
                  <span className="cut">{host}</span>
                  <DropdownMenu.ItemIndicator className={`menu-detail ${styles.mark}`}>
                    <Icon name="check" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            {administers && (
              <>
                <DropdownMenu.Separator className={styles.line} />
                <DropdownMenu.Item className="menu-item" onSelect={() => setRegisters(true)}>
                  <Icon name="plus" /> Register a site…
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <button type="button" className="button quiet" onClick={() => setSnippetOf(site)}>
        <Icon name="code" /> Snippet
      </button>
      <Modal title="Register a site" open={registers} onOpenChange={setRegisters}>
        <RegisterSiteForm onRegistered={registered} />
      </Modal>
      {snippetOf && (
        <Modal title={`Count visits to ${snippetOf.host}`} open onOpenChange={closeSnippet}>
          <SiteSnippet site={snippetOf} />
        </Modal>
      )}
    </>
  );
}
