import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from '../api/client.js';

/** Renders a page into its document. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  createRoot(root).render(
    <StrictMode>
      <Provider value={client}>{page}</Provider>
    </StrictMode>,
  );
}
