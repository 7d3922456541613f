/** A cart, followed live: as it stands, then again after every change. */
import { defineDocumentFeed } from '../../database/index.js';
import { carts } from './cart.js';

export const cartFeed = defineDocumentFeed('cart', carts, 'There is no such cart');
