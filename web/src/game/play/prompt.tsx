/** The field to type in: completes with Tab, goes through what was typed before with the arrow keys. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useIsAway } from '../../api/connection.js';
import { useData } from '../../api/use-data.js';
import { useClock } from '../../kit/base/clock.js';
import { formatCountOf, formatSpan } from '../../kit/base/format.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { type Completion, commonStart, complete, namesOn } from '../screen/completion.js';
import { CommandsDocument } from '../screen/documents.js';
import { type History, newer, older, remember, shownLine, startHistory } from '../screen/history.js';
import { keptOf } from '../screen/kept-here.js';
import { Chips } from './chips.js';
import { usePlaying } from './playing.js';
import styles from './prompt.module.css';

const nothing = {};
/** The API's limits. */
const COMMAND_MAX = 600;
const SPEECH_MAX = 500;

export function Prompt() {
  const { screen, voice, speak } = usePlaying();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const line = useLine();
  const { text, completions, selected } = line;
  useEffect(() => {
    // On a phone a keyboard would cover half of the page: only when somebody wants to say something.
    if (voice || window.matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [voice]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && voice && completions.length === 0) speak(null);
    if (line.press(event.key, event.shiftKey)) event.preventDefault();
  };
  const pick = (completion: Completion) => {
    line.accept(completion);
    field.current?.focus();
  };
  return (
    <div className={styles.prompt}>
      <Chips id={list} completions={completions} selected={selected} onPick={pick} />
      <WaitingNotice />
      {screen.mutedUntil && <MutedNotice until={Date.parse(screen.mutedUntil)} />}
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          line.send();
        }}
      >
        {voice ? (
          <button type="button" className={styles.voice} onClick={() => speak(null)} title="Type commands again">
            {voice.to ? `Whisper to ${voice.to.name}` : 'Say'} <Icon name="close" size={12} />
          </button>
        ) : (
          <span className={styles.mark} aria-hidden="true">
            ›
          </span>
        )}
        <input
          ref={field}
          className={styles.field}
          role="combobox"
          aria-label={voice ? 'What to say' : 'Command'}
          aria-expanded={completions.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={selected === null ? undefined : `${list}-${selected}`}
          placeholder={voice ? 'Your words' : 'What do you do?'}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          maxLength={voice ? SPEECH_MAX : COMMAND_MAX}
          value={text}
          onChange={({ target }) => line.type(target.value)}
          onKeyDown={press}
        />
        {!voice && (
          <button
            type="button"
            className="button quiet icon"
            aria-label="Say something"
            title="Say something to everybody here"
            onClick={() => speak({ to: null })}
          >
            <Icon name="comment" />
          </button>
        )}
        <button type="submit" className="button primary" disabled={text.trim() === ''}>
          Send
        </button>
      </form>
    </div>
  );
}

/** How long, not until when: players have clocks of their own. */
function MutedNotice({ until }: { readonly until: number }) {
  const left = useClock(1000, (now) => (now < until ? formatSpan((until - now) / 1000) : ''));
  return left && <Notice tone="warn">You may speak again in {left}.</Notice>;
}

function useLine() {
  const { screen, choose, voice, goods } = usePlaying();
  const kept = useMemo(() => keptOf(screen.id), [screen.id]);
  const [history, setHistory] = useState<History>(() => startHistory(kept.read<string[]>('history') ?? []));
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [selected, select] = useState<number | null>(null);
  const { data } = useData(CommandsDocument, nothing);
  const text = history.at === null ? typed : shownLine(history);
  const completions = useMemo(
    () => (isOpen && !voice && data ? complete(text, data.commands, namesOn(screen, goods)) : []),
    [isOpen, voice, data, text, screen, goods],
  );
  const type = (next: string, opens = true) => {
    setHistory(startHistory(history.lines));
    setTyped(next);
    setOpen(opens && next !== '');
    select(null);
  };
  const browse = (next: History) => {
    setHistory(next);
    if (next.at === null) setTyped(next.draft);
    setOpen(false);
    select(null);
  };
  const accept = ({ line }: Completion) => type(line);
  const send = () => {
    const line = text.trim();
    if (line === '') return;
    if (voice) {
      const to = voice.to?.id ?? null;
      const words = voice.to ? `whisper to ${voice.to.name}: ${line}` : `say ${line}`;
      choose({ words, typed: words, act: { do: 'speak', text: line, toId: to } });
    } else {
      choose({ words: line, typed: line, act: { do: 'type', text: line } });
      const next = remember(history, line);
      kept.write('history', next.lines);
      setHistory(next);
    }
    setTyped('');
    setOpen(false);
    select(null);
  };
  const tab = (): boolean => {
    if (voice || !data) return false;
    const found = isOpen ? completions : complete(text, data.commands, namesOn(screen, goods));
    const [first] = found;
    if (!first) return false;
    const common = commonStart(found);
    setOpen(true);
    if (selected !== null) select((selected + 1) % found.length);
    else if (found.length === 1) accept(first);
    else if (common.length > text.trimStart().length) type(common);
    else select(0);
    return true;
  };
  const press = (key: string, isShifted: boolean): boolean => {
    const count = completions.length;
    const chosen = selected === null ? undefined : completions[selected];
    if (key === 'Tab') return !isShifted && tab();
    if (key === 'Enter' && chosen) accept(chosen);
    else if (key === 'Escape' && isOpen) setOpen(false);
    else if (key === 'ArrowDown' && selected !== null) select((selected + 1) % count);
    else if (key === 'ArrowUp' && selected !== null) select((selected + count - 1) % count);
    else if (key === 'ArrowUp') browse(older(history, text));
    else if (key === 'ArrowDown') browse(newer(history));
    else return false;
    return true;
  };
  return { text, completions, selected, type, accept, send, press };
}

/** Typed while the server is away. */
function WaitingNotice() {
  const { now, play } = usePlaying();
  const isAway = useIsAway();
  if (!isAway || now.waiting.length === 0) return null;
  const action = (
    <button type="button" className="button small" onClick={play.discard}>
      Discard
    </button>
  );
  return (
    <Notice tone="warn" action={action}>
      {formatCountOf(now.waiting.length, 'command')} will be sent when the connection is back.
    </Notice>
  );
}
