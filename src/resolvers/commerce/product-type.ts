/** Which type of the SDL a product has. */
import { AUDIO_ALBUM, FILM } from '../../models/commerce/product.js';

export const typeOfProduct = ({ type }: { readonly type: string }) =>
  type === AUDIO_ALBUM ? 'AudioAlbum' : type === FILM ? 'Film' : ('GeneralProduct' as const);
