/** What the resolvers of each type get as their parent. `npm run generate` maps the type `LogEvent` to `LogEventMapper`. */
import type { LogCollection } from '../../models/analytics/log-growth/log-collections.js';
import type { LogGrowthDocument, LogRetention } from '../../models/analytics/log-growth/log-growth.js';
import type { LogEventDocument } from '../../models/analytics/log-growth/log-segment.js';
import type { LogImportDocument } from '../../models/analytics/log-import/log-import.js';
import type { RollUpDocument } from '../../models/analytics/sessions/roll-up.js';
import type { SiteDocument } from '../../models/analytics/sites/site.js';

export type LogEventMapper = LogEventDocument;
export type LogGrowthMapper = LogGrowthDocument;
export type LogRetentionMapper = LogRetention;
export type LogCollectionMapper = LogCollection;
export type LogImportMapper = LogImportDocument;
export type SessionStatsMapper = RollUpDocument;
export type SiteMapper = SiteDocument;
