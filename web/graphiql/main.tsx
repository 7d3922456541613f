import './workers.js';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css'; // and not graphiql/style.css, which brings 400 kB of fonts
import '../src/kit/base/tokens.css';
import '../src/kit/base/base.css';
import { createRoot } from 'react-dom/client';
import { GraphiQLPage } from './page.js';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(<GraphiQLPage />);
