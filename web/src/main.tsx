import './tokens.css';
import './base.css';
import { App } from './app.js';
import { mount } from './shell/mount.js';

mount(<App />);
