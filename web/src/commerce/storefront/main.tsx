import '../../kit/base/tokens.css';
import '../../kit/base/base.css';
import './storefront.css';
import { mount } from '../../shell/mount.js';
import { Storefront } from './storefront.js';

mount(<Storefront />);
