/** The tags of a node. They are saved at once, and make no version. */
import { useId, useState } from 'react';
import { useData } from '../../api/use-data.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { Icon } from '../../kit/display/icon.js';
import { addTags, isRefused, type NodeOrRefused, removeTags } from '../data/commands.js';
import { TagsDocument } from '../data/nodes.js';
import type { SavedNode } from '../saver/use-saver.js';
import styles from './tags-field.module.css';

const TAG_MAX = 50;

export function TagsField({ saved: { node, take } }: { readonly saved: SavedNode }) {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const field = useId();
  const prefix = useQuiet(text.trim());
  const known = useData(TagsDocument, prefix === '' ? null : { prefix, first: 8 }).data?.tags ?? [];
  const apply = async (change: Promise<NodeOrRefused>) => {
    const outcome = await change;
    if (isRefused(outcome)) return setRefusal(outcome.refusal);
    setRefusal(null);
    take(outcome);
  };
  const add = () => {
    const tags = text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (tags.length === 0) return;
    setText('');
    void apply(addTags(node.id, tags));
  };
  return (
    <div className="field">
      <label htmlFor={field}>Tags</label>
      {node.tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {node.tags.map((tag) => (
            <li key={tag} className={styles.tag}>
              <span className="cut">{tag}</span>
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => void apply(removeTags(node.id, [tag]))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        className="input"
        id={field}
        list={`${field}-known`}
        maxLength={TAG_MAX}
        autoComplete="off"
        placeholder="Add a tag, then Enter"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ',') return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      <datalist id={`${field}-known`}>
        {known.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {refusal && (
        <span className={styles.refusal} role="alert">
          {refusal}
        </span>
      )}
    </div>
  );
}
