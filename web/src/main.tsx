import './kit/base/tokens.css';
import './kit/base/base.css';
import { App } from './app.js';
import { mount } from './shell/mount.js';

mount(<App />);
