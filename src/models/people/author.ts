/**
 * Authors: the id of an account, with its name copied beside it, so that showing a work takes no lookup. Each domain that stores
 * authors follows changes of the names.
 */
export interface AuthorReference {
  /** The account. Absent for authors without one: programs, and authors of imported texts. */
  _id?: string;
  /** Empty if the account was deleted. */
  name: string;
}
