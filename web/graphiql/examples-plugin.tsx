/** A pane of GraphiQL that opens the examples again, each in a tab of its own. */
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { Icon } from '../src/parts/icon.js';
import { examples } from './examples.js';
import styles from './page.module.css';

/** @param variables what the examples run with, as JSON text */
export function examplesPlugin(variables: string) {
  return {
    title: 'Examples',
    icon: () => <Icon name="file" size={20} />,
    content: () => <ExamplesPane variables={variables} />,
  };
}

function ExamplesPane({ variables }: { variables: string }) {
  const { addTab } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const open = (text: string) => {
    addTab();
    queryEditor?.setValue(text);
    variableEditor?.setValue(variables);
  };
  return (
    <section aria-label="Examples">
      <h2 className={styles.title}>Examples</h2>
      <ul className={styles.examples}>
        {examples.map(({ name, text }) => (
          <li key={name}>
            <button type="button" onClick={() => open(text)}>
              <strong>{name}</strong>
              <span>{operationNames(text).join(', ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const operationNames = (text: string) =>
  [...text.matchAll(/^(?:query|mutation|subscription) (\w+)/gm)].map(([, name]) => name);
