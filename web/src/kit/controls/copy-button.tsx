import { useEffect, useState } from 'react';
import { copyText } from '../base/clipboard.js';
import { Icon } from '../display/icon.js';

const CONFIRMED_MS = 2_000;

/** Copies a text that stands beside it, and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="button"
      onClick={() =>
        void copyText(text).then((isCopied) => {
          setCopied(isCopied);
          setRefused(!isCopied);
        })
      }
    >
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? 'Copied' : isRefused ? 'Copy it by hand' : label}</span>
    </button>
  );
}
