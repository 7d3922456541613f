/** The lists of people that can be put into circles: by name, and who follows the viewer. */
import type { ReactNode } from 'react';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { FindProfilesDocument, type Profile } from './find.js';
import { FollowersDocument } from './lists.js';
import { PersonList } from './person-list.js';

interface ListProps {
  /** A list item. */
  readonly row: (profile: Profile) => ReactNode;
}

/** The API's limit. */
const PREFIX_MAX = 100;

/** @param text the start of their names. Blank: everybody */
export function FoundPeople({ text, row }: ListProps & { readonly text: string }) {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const quiet = useQuiet(prefix);
  return (
    <PersonList
      key={quiet}
      label={quiet === '' ? 'Everybody by name' : 'People found'}
      query={FindProfilesDocument}
      variables={{ prefix: quiet }}
      connectionOf={({ findProfiles }) => findProfiles}
      row={row}
      empty={
        <p className="note" role="status">
          Nobody’s name starts with this.
        </p>
      }
    />
  );
}

const nothing = {};

export const Followers = ({ row, empty }: ListProps & { readonly empty: ReactNode }) => (
  <PersonList
    label="Followers"
    query={FollowersDocument}
    variables={nothing}
    connectionOf={({ followers }) => followers}
    row={({ profile }) => profile && row(profile)}
    empty={empty}
  />
);
