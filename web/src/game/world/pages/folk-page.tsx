/** For editors: everybody in the world, and what moderators do. */
import { useState } from 'react';
import { formatCount, formatMoment } from '../../../kit/base/format.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Notice } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS } from '../../../kit/lists/table.js';
import { useRole } from '../../../shell/access.js';
import { classWords, roleWords } from '../../parts/class-words.js';
import { AllCharactersDocument, type Inhabitant, mute, relocate } from '../data/folk.js';
import { FolkModal } from '../forms/folk-modal.js';
import { MuteModal } from '../forms/mute-modal.js';
import { PlaceModal } from '../forms/place-modal.js';
import styles from './folk-page.module.css';

type Asked = { readonly what: 'edit' | 'move' | 'mute'; readonly one: Inhabitant } | { readonly what: 'new' } | null;

export function FolkPage() {
  const [asked, ask] = useState<Asked>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isAdmin = useRole('ADMIN');
  const close = () => ask(null);
  const add = (
    <button type="button" className="button primary" onClick={() => ask({ what: 'new' })}>
      <Icon name="plus" /> Somebody new
    </button>
  );
  const button = (words: string, name: string, act: () => void) => (
    <button type="button" className="button small" aria-label={`${words} ${name}`} onClick={act}>
      {words}
    </button>
  );
  return (
    <Card title="Inhabitants" aside={add}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <PagedTable
        label="Inhabitants"
        query={AllCharactersDocument}
        connectionOf={({ allCharacters }) => allCharacters}
        columns={['Name', 'Played by', 'Where', 'Gold', ACTIONS]}
        rows={(edges) =>
          edges.map(({ node: one }) => (
            <tr key={one.id}>
              <th scope="row">
                <span className={cells.who}>{one.name}</span>
                <span className={cells.second}>{classWords[one.class].name}</span>
                {one.mutedUntil && (
                  <span className="badge" title={`Until ${formatMoment(Date.parse(one.mutedUntil))} UTC`}>
                    muted
                  </span>
                )}
              </th>
              <td>{one.owner ? one.owner.name : roleWords[one.role]}</td>
              <td className={styles.where}>{one.location.name}</td>
              <td>{formatCount(one.gold)} gold</td>
              <td>
                <div className={cells.actions}>
                  {one.role === 'PERSON' &&
                    (one.mutedUntil
                      ? button('Unmute', one.name, () => void mute(one.id, null).then(setFailure))
                      : button('Mute', one.name, () => ask({ what: 'mute', one })))}
                  {isAdmin && button('Move', one.name, () => ask({ what: 'move', one }))}
                  {one.role !== 'PERSON' && button('Edit', one.name, () => ask({ what: 'edit', one }))}
                </div>
              </td>
            </tr>
          ))
        }
        empty={
          <Empty icon="people" title="Nobody lives here yet">
            Create a shopkeeper, or play yourself.
          </Empty>
        }
      />
      {asked?.what === 'new' && <FolkModal inhabitant={null} onClose={close} />}
      {asked?.what === 'edit' && <FolkModal inhabitant={asked.one} onClose={close} />}
      {asked?.what === 'mute' && <MuteModal inhabitant={asked.one} onClose={close} />}
      {asked?.what === 'move' && (
        <PlaceModal name={asked.one.name} move={(to) => relocate(asked.one.id, to)} onClose={close} />
      )}
    </Card>
  );
}
