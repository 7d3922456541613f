/** For editors: all items of the world. */
import { useState } from 'react';
import { formatCount } from '../../../kit/base/format.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS } from '../../../kit/lists/table.js';
import { useRole } from '../../../shell/access.js';
import { formatWeight } from '../../parts/weight.js';
import { AllItemsDocument, placeOf, relocateItem, type WorldItem } from '../data/items.js';
import { ItemModal } from '../forms/item-modal.js';
import { PlaceModal } from '../forms/place-modal.js';

type Asked = { readonly what: 'edit' | 'move'; readonly item: WorldItem } | { readonly what: 'new' } | null;

export function ItemsPage() {
  const [asked, ask] = useState<Asked>(null);
  const isAdmin = useRole('ADMIN');
  const close = () => ask(null);
  const add = (
    <button type="button" className="button primary" onClick={() => ask({ what: 'new' })}>
      <Icon name="plus" /> New item
    </button>
  );
  return (
    <Card title="Items" aside={add}>
      <PagedTable
        label="Items"
        query={AllItemsDocument}
        connectionOf={({ allItems }) => allItems}
        columns={['Item', 'Where', 'Weight', 'Price', ACTIONS]}
        rows={(edges) =>
          edges.map(({ node: item }) => (
            <tr key={item.id}>
              <th scope="row">
                <span className={cells.who}>{item.label}</span>
                <span className={cells.second}>{item.key}</span>
              </th>
              <td>{placeOf(item)}</td>
              <td>{formatWeight(item.weight)}</td>
              <td>{item.price ? `${formatCount(item.price)} gold` : <span className="note">not for sale</span>}</td>
              <td>
                <div className={cells.actions}>
                  {isAdmin && (
                    <button
                      type="button"
                      className="button small"
                      aria-label={`Move ${item.label}`}
                      onClick={() => ask({ what: 'move', item })}
                    >
                      Move
                    </button>
                  )}
                  <button
                    type="button"
                    className="button small"
                    aria-label={`Edit ${item.label}`}
                    onClick={() => ask({ what: 'edit', item })}
                  >
                    Edit
                  </button>
                </div>
              </td>
            </tr>
          ))
        }
        empty={
          <Empty icon="box" title="There are no items yet">
            Create one, or import a world.
          </Empty>
        }
      />
      {asked?.what === 'new' && <ItemModal item={null} onClose={close} />}
      {asked?.what === 'edit' && <ItemModal item={asked.item} onClose={close} />}
      {asked?.what === 'move' && (
        <PlaceModal name={asked.item.label} move={(to) => relocateItem(asked.item.id, to)} onClose={close} />
      )}
    </Card>
  );
}
