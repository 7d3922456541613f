/** The texts in the mutations of analytics. None is a name. */
import type { TextPlaces } from '../../support/domain/text-places.js';

export const textPlaces: TextPlaces = {
  names: {},
  others: [
    'HitInput.site',
    'HitInput.page',
    'ImportLogInput.site',
    'RegisterSiteInput.host',
    'RegisterSiteInput.allowedOrigins',
    'LogEventInput.site',
    'LogEventInput.host',
    'LogEventInput.logname',
    'LogEventInput.user',
    'LogEventInput.method',
    'LogEventInput.path',
    'LogEventInput.protocol',
    'LogEventInput.referrer',
    'LogEventInput.userAgent',
    'SessionInput.userId',
    'changeSiteOrigins.host',
    'changeSiteOrigins.allowedOrigins',
  ],
};
