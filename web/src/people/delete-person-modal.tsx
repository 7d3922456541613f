import { Confirmation } from '../parts/confirmation.js';
import { deletePerson, type Person } from './people.js';

export function DeletePersonModal({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <Confirmation
      title={`Delete the account of ${person.name}?`}
      consequence={`${person.email} is signed out everywhere at once and cannot sign in any more. What the person wrote stays. This cannot be undone.`}
      no="Keep the account"
      yes="Delete the account"
      act={() => deletePerson(person.id)}
      onClose={onClose}
    />
  );
}
