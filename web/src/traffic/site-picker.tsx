/** Which site, and what belongs to sites: the snippet, a new one. */
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useRole } from '../access.js';
import { Icon } from '../parts/icon.js';
import { Modal } from '../parts/modal.js';
import styles from './pickers.module.css';
import { RegisterSiteForm, SiteSnippet } from './site-form.js';
import type { Site } from './sites.js';

interface SitePickerProps {
  readonly sites: readonly Site[];
  readonly site: Site;
  readonly onChoose: (host: string) => void;
}

export function SitePicker({ sites, site, onChoose }: SitePickerProps) {
  const [dialog, setDialog] = useState<'register' | 'snippet' | null>(null);
  const administers = useRole('ADMIN');
  const close = () => setDialog(null);
  const registered = (added: Site) => {
    onChoose(added.host);
    setDialog('snippet');
  };
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={`button ${styles.site}`} aria-label={`Site: ${site.host}. Choose another`}>
          <Icon name="globe" />
          <span className={styles.name}>{site.host}</span>
          <Icon name="chevron" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={`menu ${styles.menu}`} align="start" sideOffset={6}>
            <DropdownMenu.RadioGroup value={site.host} onValueChange={onChoose}>
              {sites.map(({ host }) => (
                <DropdownMenu.RadioItem key={host} className="menu-item" value={host}>
                  <span className={styles.name}>{host}</span>
                  <DropdownMenu.ItemIndicator className={styles.mark}>
                    <Icon name="check" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            {administers && (
              <>
                <DropdownMenu.Separator className={styles.line} />
                <DropdownMenu.Item className="menu-item" onSelect={() => setDialog('register')}>
                  <Icon name="plus" /> Register a site…
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <button type="button" className="button quiet" onClick={() => setDialog('snippet')}>
        <Icon name="code" /> Snippet
      </button>
      <Modal title="Register a site" open={dialog === 'register'} onOpenChange={close}>
        <RegisterSiteForm onRegistered={registered} />
      </Modal>
      <Modal title={`Count the visits of ${site.host}`} open={dialog === 'snippet'} onOpenChange={close}>
        <SiteSnippet key={site.host} site={site} />
      </Modal>
    </>
  );
}
