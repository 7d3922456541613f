/** The access rules `@auth`, `@owner` and `@public` of a field: read from the SDL, described in words, and enforced. */
import { type DirectiveNode, type FieldDefinitionNode, Kind } from 'graphql';
import { hasRole, type Role, refuseViewer, requirePerson, type Scope, type Viewer } from '../identity/viewer.js';

export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'auth'; readonly role: Role; readonly scope: Scope | null }
  /** `field` names the owner's id in the object; null on a root field, which only ever concerns the caller. `role` is that of others. */
  | { readonly kind: 'owner'; readonly field: string | null; readonly role: Role };

/** @returns null for a field without a rule: anyone who can reach its object may read it */
export function accessRuleOf(definition: FieldDefinitionNode | null | undefined, isRoot: boolean): AccessRule | null {
  const directive = (name: string) => definition?.directives?.find((node) => node.name.value === name);
  const auth = directive('auth');
  if (auth) {
    return {
      kind: 'auth',
      role: (argumentOf(auth, 'role') ?? 'ADMIN') as Role,
      scope: argumentOf(auth, 'scope') as Scope | null,
    };
  }
  const owner = directive('owner');
  if (owner) {
    const role = (argumentOf(owner, 'role') ?? 'ADMIN') as Role;
    return { kind: 'owner', field: isRoot ? null : (argumentOf(owner, 'field') ?? '_id'), role };
  }
  return directive('public') ? { kind: 'public' } : null;
}

function argumentOf(directive: DirectiveNode, name: string): string | null {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.ENUM || value?.kind === Kind.STRING ? value.value : null;
}

const PEOPLE: Readonly<Record<Role, string>> = {
  ADMIN: 'administrators',
  EDITOR: 'editors',
  AUTHOR: 'authors, editors',
  ADVERTISER: 'advertisers',
  MEMBER: 'members',
};

/** A scope as the API docs write it: `hits:write`. */
const scopeText = (scope: Scope): string => scope.toLowerCase().replace('_', ':');

/** A sentence for the field's description, where GraphiQL shows it. */
export function describeRule(rule: AccessRule): string {
  if (rule.kind === 'public') return 'For everyone.';
  if (rule.kind === 'owner' && rule.field === null) return 'For signed-in users.';
  if (rule.kind === 'owner')
    return rule.role === 'ADMIN'
      ? 'For the user and administrators.'
      : `For the user, ${PEOPLE[rule.role]} and administrators.`;
  const people = rule.role === 'ADMIN' ? PEOPLE.ADMIN : `${PEOPLE[rule.role]} and administrators`;
  return rule.scope === null
    ? `For ${people}.`
    : `For ${people}, and for programs with the scope \`${scopeText(rule.scope)}\`.`;
}

/** @param source the object of the field @throws SextantError UNAUTHENTICATED or FORBIDDEN */
export function requireAccess(rule: AccessRule, viewer: Viewer, source: unknown): void {
  if (rule.kind === 'public') return;
  if (rule.kind === 'auth') {
    if (hasRole(viewer, rule.role)) return;
    if (rule.scope !== null && viewer.scopes.includes(rule.scope)) return;
    const scope = rule.scope === null ? '' : `, or the scope ${rule.scope}`;
    refuseViewer(viewer, `This requires the role ${rule.role}${scope}`);
  }
  if (rule.field === null) {
    requirePerson(viewer);
    return;
  }
  const owner = (source as Readonly<Record<string, unknown>>)[rule.field];
  const owns = viewer.id !== null && owner === viewer.id;
  if (!owns && !hasRole(viewer, rule.role)) refuseViewer(viewer, 'This belongs to another user');
}
