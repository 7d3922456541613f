/** What can be done with something: a menu beside it, or on a narrow page a sheet with large buttons. */
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { NARROW, useMedia } from '../../kit/base/media.js';
import { Modal } from '../../kit/controls/modal.js';
import styles from './choices-menu.module.css';

export interface MenuChoice {
  readonly words: string;
  readonly choose: () => void;
}

interface ChoicesMenuProps {
  /** What it is about. */
  readonly title: string;
  /** A line below the title, in the sheet only. */
  readonly facts?: string;
  readonly choices: readonly MenuChoice[];
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export function ChoicesMenu(props: ChoicesMenuProps) {
  return useMedia(NARROW) ? <Sheet {...props} /> : <Menu {...props} />;
}

const Menu = ({ title, choices, className, children }: ChoicesMenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger className={className}>{children}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content className={`menu ${styles.menu}`} align="start" sideOffset={4} aria-label={title}>
        {choices.map(({ words, choose }) => (
          <DropdownMenu.Item key={words} className="menu-item" onSelect={choose}>
            {words}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

function Sheet({ title, facts, choices, className, children }: ChoicesMenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      <Modal title={title} description={facts} open={isOpen} onOpenChange={setOpen} sheet>
        <div className={styles.buttons}>
          {choices.map(({ words, choose }) => (
            <button
              key={words}
              type="button"
              className="button"
              onClick={() => {
                setOpen(false);
                choose();
              }}
            >
              {words}
            </button>
          ))}
        </div>
      </Modal>
    </>
  );
}
