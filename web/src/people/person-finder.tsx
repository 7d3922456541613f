/** Finds a user by the start of the email address. For administrators only: nobody else may see all users. */
import { useState } from 'react';
import { graphql } from '../../generated/gql.js';
import { useData } from '../api/use-data.js';
import { useLast } from '../kit/base/use-last.js';
import { useQuiet } from '../kit/base/use-quiet.js';
import { Combobox } from '../kit/controls/combobox.js';
import type { Person } from './people.js';
import styles from './person-finder.module.css';

const FindPeopleDocument = graphql(`
  query FindPeople($emailPrefix: String!) {
    people(first: 8, emailPrefix: $emailPrefix) { edges { node { ...Person } } }
  }
`);

/** The API's limit. */
const PREFIX_MAX = 254;

export function PersonFinder({ onChoose }: { onChoose: (person: Person) => void }) {
  const [text, setText] = useState('');
  const { people, none } = usePeople(text);
  return (
    <div className={styles.finder}>
      <Combobox
        label="Find a person by email address"
        listLabel="People"
        text={text}
        onText={setText}
        options={people.map(({ id, name, email }) => ({
          value: id,
          content: (
            <>
              <span className="cut">{name}</span>
              <span className="cut menu-detail">{email}</span>
            </>
          ),
        }))}
        onChoose={(id) => {
          const person = people.find((each) => each.id === id);
          if (person) onChoose(person);
        }}
        none={none}
      />
    </div>
  );
}

/**
 * Until new results arrive, the previous ones stay as far as they match the typed prefix: Enter chooses the first one,
 * and must never choose someone whose address does not match the text.
 */
function usePeople(text: string): { readonly people: readonly Person[]; readonly none: string | null } {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const emailPrefix = useQuiet(prefix);
  const { data, error } = useData(FindPeopleDocument, { emailPrefix });
  const known = useLast(data);
  const begin = prefix.toLowerCase();
  const isAnswer = data !== null && emailPrefix === prefix;
  return {
    people: (known?.people.edges ?? [])
      .map(({ node }) => node)
      .filter(({ email }) => email.toLowerCase().startsWith(begin)),
    none: error ?? (isAnswer ? 'No address starts with this.' : null),
  };
}
