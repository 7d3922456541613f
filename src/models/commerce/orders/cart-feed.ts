/** A cart, followed live: the current state, then the state after every change. */
import { defineDocumentFeed } from '../../../database/index.js';
import { carts } from './cart.js';

export const cartFeed = defineDocumentFeed('cart', carts, 'There is no such cart');
