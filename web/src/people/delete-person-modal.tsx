import { Confirmation } from '../kit/controls/confirmation.js';
import { deletePerson, type Person } from './people.js';

export function DeletePersonModal({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <Confirmation
      title={`Delete the account of ${person.name}?`}
      consequence={`${person.email} will be signed out everywhere immediately and can no longer sign in. What is stored about them is erased within some minutes, except what must stay, which no longer names them. This cannot be undone.`}
      no="Cancel"
      yes="Delete account"
      act={() => deletePerson(person.id)}
      onClose={onClose}
    />
  );
}
