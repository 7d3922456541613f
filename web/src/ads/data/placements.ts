/** The zones that are entered for a campaign. Pure. */

export interface PlacementDraft {
  readonly site: string;
  readonly zone: string;
}

export interface Entered {
  readonly placements: readonly PlacementDraft[];
  /** In the fields, and not added yet. */
  readonly typed: PlacementDraft;
}

export const nowhere: PlacementDraft = { site: '', zone: '' };

export const nameOf = ({ site, zone }: PlacementDraft) => `${site}/${zone}`;

/** With the one that is typed. @returns what is wrong, as a sentence */
export function placementsOf({ placements, typed }: Entered): readonly PlacementDraft[] | string {
  const added = { site: typed.site.trim().toLowerCase(), zone: typed.zone.trim() };
  if (added.zone === '') return placements;
  if (added.site === '') return 'Enter the site of the zone';
  return placements.some((each) => nameOf(each) === nameOf(added)) ? placements : [...placements, added];
}
