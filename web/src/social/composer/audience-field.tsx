/** Who may see a post, and how many people would have it in their news. */
import type { ReactNode } from 'react';
import { useData } from '../../api/use-data.js';
import { formatCount } from '../../kit/base/format.js';
import { useLast } from '../../kit/base/use-last.js';
import { Icon } from '../../kit/display/icon.js';
import { AudiencePreviewDocument } from '../data/documents.js';
import { networkContext, useCircles } from '../data/network.js';
import { CircleList } from './circle-list.js';
import styles from './composer.module.css';
import type { Draft } from './draft.js';

interface AudienceFieldProps {
  readonly draft: Draft;
  readonly onChange: (some: Partial<Draft>) => void;
  /** The owner of the wall, who sees it in any case. Null: it is the viewer's own. */
  readonly wallName: string | null;
  /** What the form says of a failure, which is not said again. */
  readonly failure: string | null;
}

/** Beyond these, only those that are chosen have a button of their own. */
const CIRCLES_SHOWN = 6;

export function AudienceField({ draft: { audience, circleIds }, onChange, wallName, failure }: AudienceFieldProps) {
  const { data } = useCircles();
  const circles = data?.circles ?? [];
  const chosen = audience === 'CIRCLES' ? circleIds : [];
  const shown = circles.filter(({ id }, at) => at < CIRCLES_SHOWN || chosen.includes(id));
  const turn = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
    onChange(next.length === 0 ? { audience: 'MY_CIRCLES', circleIds: [] } : { audience: 'CIRCLES', circleIds: next });
  };
  return (
    <div className={styles.audience}>
      <fieldset className={styles.chips} aria-label="Who may see it">
        <Chip isOn={audience === 'PUBLIC'} onTurn={() => onChange({ audience: 'PUBLIC', circleIds: [] })}>
          <Icon name="globe" size={14} /> Public
        </Chip>
        <Chip isOn={audience === 'MY_CIRCLES'} onTurn={() => onChange({ audience: 'MY_CIRCLES', circleIds: [] })}>
          <Icon name="people" size={14} /> My circles
        </Chip>
        {shown.map(({ id, name }) => (
          <Chip key={id} isOn={chosen.includes(id)} onTurn={() => turn(id)}>
            <Icon name="circles" size={14} />{' '}
            <span className="cut" dir="auto">
              {name}
            </span>
          </Chip>
        ))}
        {circles.length > CIRCLES_SHOWN && <CircleList circles={circles} chosen={chosen} onTurn={turn} />}
      </fieldset>
      <Preview audience={audience} circleIds={circleIds} wallName={wallName} failure={failure} />
    </div>
  );
}

const Chip = ({ isOn, onTurn, children }: { isOn: boolean; onTurn: () => void; children: ReactNode }) => (
  <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onTurn}>
    {children}
  </button>
);

type PreviewProps = Pick<Draft, 'audience' | 'circleIds'> & Pick<AudienceFieldProps, 'wallName' | 'failure'>;

function Preview({ audience, circleIds, wallName, failure }: PreviewProps) {
  const { data, error } = useData(AudiencePreviewDocument, { audience, circleIds: [...circleIds] }, networkContext);
  const known = useLast(data)?.audiencePreview;
  return (
    <p className={`note ${styles.preview}`} aria-live="polite">
      {error !== failure && error}
      {!error && known && `${wordsOf(known)}${wallName === null ? '' : ` ${wallName} sees it in any case.`}`}
    </p>
  );
}

function wordsOf({ readers, isPublic }: { readonly readers: number; readonly isPublic: boolean }): string {
  const people = readers === 1 ? '1 person' : `${formatCount(readers)} people`;
  const news = readers === 0 ? 'In nobody’s news yet' : `In the news of ${people}`;
  return isPublic ? `${news}. Everybody can see it, visitors as well.` : `${news}.`;
}
