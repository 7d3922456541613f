/** The sample catalog: a shop for people who like to know where they are. */
import type { AddCategory } from '../catalog/category-change.js';
import { books, charts, instruments } from './sample-goods.js';
import { albums, films } from './sample-media.js';
import type { SampleProduct } from './sample-product.js';

/** Parents before their children. */
export const sampleCategories: readonly AddCategory[] = [
  { slug: 'instruments', name: 'Instruments' },
  { slug: 'navigation', name: 'Navigation', under: 'instruments' },
  { slug: 'timekeeping', name: 'Timekeeping', under: 'instruments' },
  { slug: 'weather', name: 'Weather', under: 'instruments' },
  { slug: 'charts', name: 'Charts' },
  { slug: 'books', name: 'Books' },
  { slug: 'handbooks', name: 'Handbooks', under: 'books' },
  { slug: 'voyages', name: 'Voyages', under: 'books' },
  { slug: 'music', name: 'Music' },
  { slug: 'folk', name: 'Folk', under: 'music' },
  { slug: 'jazz', name: 'Jazz', under: 'music' },
  { slug: 'electronic', name: 'Electronic', under: 'music' },
  { slug: 'films', name: 'Films' },
];

/** Each list is one step. */
export const sampleProducts: readonly (readonly SampleProduct[])[] = [instruments, charts, books, albums, films];
