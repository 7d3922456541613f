/** The moderators' page: the comments that wait, live, and what is decided about them. */
import { useEffect, useState } from 'react';
import { useStore } from '../../kit/base/store.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { Desk } from './desk.js';
import { openQueue } from './open-queue.js';
import { waitingWords } from './words.js';

export function ModerationPage() {
  const [opened] = useState(openQueue);
  useEffect(() => opened.start(), [opened]);
  const { queue, refused } = useStore(opened.state);
  return (
    <Card
      title="Comments to decide about"
      aside={queue && queue.waiting > 0 && <span className="note">{waitingWords(queue.waiting)}, oldest first</span>}
    >
      {refused && <Notice tone="bad">{refused}</Notice>}
      {!queue && !refused && <SkeletonRows rows={5} height="96px" />}
      {queue && <Desk opened={opened} queue={queue} />}
    </Card>
  );
}
