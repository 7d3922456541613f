/** The texts in the mutations of commerce. */
import { type Call, call, type TextPlaces } from '../../support/domain/text-places.js';

const money = { amount: 100, currency: 'EUR' };
const product = { sku: 'N-1', title: 'A title', type: 'TOY', price: money, categories: [] };
const track = { title: 'A song', seconds: 60 };
const album = { artist: 'Anna', genres: ['Jazz'], issuedOn: '1971-11-08', tracks: [track] };
const film = {
  directors: ['Anna'],
  writers: ['Ben'],
  actors: ['Cyd'],
  genres: ['Drama'],
  issuedOn: '1971-11-08',
};
const save = (fields: object): Call => ({
  query: 'mutation($v: [ProductInput!]!) { saveProducts(products: $v) { saved rejected { message } } }',
  variables: { v: [{ ...product, ...fields }] },
});

export const textPlaces: TextPlaces = {
  names: {
    'ProductInput.title': (title) => save({ title }),
    'AudioAlbumInput.artist': (artist) => save({ type: 'AUDIO_ALBUM', album: { ...album, artist } }),
    'AudioAlbumInput.genres': (genre) => save({ type: 'AUDIO_ALBUM', album: { ...album, genres: [genre] } }),
    'TrackInput.title': (title) => save({ type: 'AUDIO_ALBUM', album: { ...album, tracks: [{ ...track, title }] } }),
    'FilmInput.directors': (name) => save({ type: 'FILM', film: { ...film, directors: [name] } }),
    'FilmInput.writers': (name) => save({ type: 'FILM', film: { ...film, writers: [name] } }),
    'FilmInput.actors': (name) => save({ type: 'FILM', film: { ...film, actors: [name] } }),
    'FilmInput.genres': (name) => save({ type: 'FILM', film: { ...film, genres: [name] } }),
    'FilmInput.aspectRatio': (aspectRatio) => save({ type: 'FILM', film: { ...film, aspectRatio } }),
    'PropertyInput.name': (name) => save({ properties: [{ name, value: 'red' }] }),
    'AddCategoryInput.name': (name) => call('addCategory(input: $v)', 'AddCategoryInput!', { name, slug: 'a-b' }),
    'renameCategory.name': (name) => call('renameCategory(slug: "none", name: $v)', 'String', name),
    'OpenAccountInput.owner': (owner) =>
      call('openAccount(input: $v)', 'OpenAccountInput!', { owner, openingBalance: money }),
  },
  others: [
    'AddCategoryInput.slug',
    'AddCategoryInput.under',
    'moveCategory.slug',
    'moveCategory.under',
    'renameCategory.slug',
    'renameCategory.newSlug',
    'removeCategory.slug',
    'removeCategory.moveContentsTo',
    'ProductInput.sku',
    'ProductInput.type',
    'ProductInput.asin',
    'ProductInput.categories',
    'changeProductImages.sku',
    'MoneyInput.currency',
    'ProductInput.description', // several lines, in any language
    'PropertyInput.value', // figures, with direction marks in some languages
  ],
};
