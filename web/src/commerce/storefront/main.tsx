import '../../kit/base/tokens.css';
import '../../kit/base/base.css';
import './storefront.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from '../../api/client.js';
import { Storefront } from './storefront.js';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <Provider value={client}>
      <Storefront />
    </Provider>
  </StrictMode>,
);
