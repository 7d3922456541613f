/** What the resolvers of each type get as their parent. `npm run generate` maps the type `System` to `SystemMapper`. */
import type { Violation } from '../../models/domain.js';
import type { AssetDocument } from '../../models/system/assets/asset.js';
import type { MaintenanceDocument } from '../../models/system/maintenance.js';
import type { KeyAdvice } from '../../models/system/sharding/shard-advice.js';
import type { Phase } from '../../models/system/sharding/shard-simulation.js';
import type { DomainSeed } from '../../models/system/work/seed.js';
import type { WorkDocument } from '../../models/work.js';

export type AssetMapper = AssetDocument;
export type SystemMapper = object;
export type ShardAdviceMapper = KeyAdvice;
export type ShardPhaseMapper = Phase;
export type InvariantCheckMapper = MaintenanceDocument;
export type RecoveryMapper = MaintenanceDocument;
export type ViolationMapper = Violation;
export type BackgroundWorkMapper = WorkDocument;
export type DataImportMapper = WorkDocument;
export type DataExportMapper = WorkDocument;
export type SeedMapper = WorkDocument;
export type DomainSeedMapper = DomainSeed;
