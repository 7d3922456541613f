/** A GraphiQL pane that opens examples in new tabs, for example after the first ones were closed. */
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { NARROW } from '../src/kit/base/media.js';
import { Icon } from '../src/kit/display/icon.js';
import { type Example, type ExampleValues, variablesOf } from './examples.js';
import styles from './page.module.css';

export function examplesPlugin(examples: readonly Example[], values: ExampleValues) {
  return {
    title: 'Examples',
    icon: () => <Icon name="file" size={20} />,
    content: () => <ExamplesPane examples={examples} values={values} />,
  };
}

function ExamplesPane({ examples, values }: { examples: readonly Example[]; values: ExampleValues }) {
  const { addTab, setVisiblePlugin } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const open = (example: Example) => {
    addTab();
    queryEditor?.setValue(example.text);
    variableEditor?.setValue(variablesOf(example, values));
    if (window.matchMedia(NARROW).matches) setVisiblePlugin(null); // it would cover the new tab
  };
  return (
    <section aria-label="Examples">
      <h2 className={styles.title}>Examples</h2>
      <ul className={styles.examples}>
        {examples.map((example) => (
          <li key={example.name}>
            <button type="button" onClick={() => open(example)}>
              <strong>{example.name}</strong>
              <span>{operationNames(example.text).join(', ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const operationNames = (text: string) =>
  [...text.matchAll(/^(?:query|mutation|subscription) (\w+)/gm)].map(([, name]) => name);
