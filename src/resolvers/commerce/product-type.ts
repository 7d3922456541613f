/** The SDL type of a product. */
import { AUDIO_ALBUM, FILM } from '../../models/commerce/catalog/product.js';

export const typeOfProduct = ({ type }: { readonly type: string }) =>
  type === AUDIO_ALBUM ? 'AudioAlbum' : type === FILM ? 'Film' : ('GeneralProduct' as const);
