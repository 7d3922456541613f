/** Blocks a person after a question, or ends the block. */
import { useState } from 'react';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { setBlocked } from '../data/network.js';

interface BlockButtonProps {
  readonly person: { readonly id: string; readonly name: string };
  readonly isBlocked: boolean;
  readonly isSmall?: boolean;
  readonly onDone?: () => void;
}

export function BlockButton({ person: { id, name }, isBlocked, isSmall = false, onDone }: BlockButtonProps) {
  const [isAsking, ask] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`button ${isBlocked ? '' : 'danger'} ${isSmall ? 'small' : ''}`}
        aria-label={`${isBlocked ? 'Unblock' : 'Block'} ${name}`}
        onClick={() => ask(true)}
      >
        {isBlocked ? 'Unblock' : 'Block'}
      </button>
      {isAsking && (
        <Confirmation
          title={isBlocked ? `Unblock ${name}?` : `Block ${name}?`}
          consequence={
            isBlocked
              ? 'You see each other again. Nobody is put back into a circle.'
              : `You disappear for each other at once: profiles, posts, and comments on posts. Both are removed from the other’s circles. Nobody is told. For all others, what ${name} wrote on your wall stays there until you delete it in Incoming.`
          }
          no="Cancel"
          yes={isBlocked ? 'Unblock' : 'Block'}
          harmless={isBlocked}
          act={() => setBlocked(id, !isBlocked)}
          onClose={() => ask(false)}
          {...(onDone && { onDone })}
        />
      )}
    </>
  );
}
