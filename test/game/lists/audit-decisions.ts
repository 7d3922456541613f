/** The mutations of the game in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const PLAY = 'is what the player does with an own character';
const BUILDING = 'is daily work of editors, visible in the world itself';

export const auditDecisions: AuditDecisions = {
  audited: {
    relocateItem: 'RELOCATED',
    relocateCharacter: 'RELOCATED',
    muteCharacter: 'CHARACTER_MUTED',
    importWorld: 'WORLD_IMPORTED',
  },
  notAdministrative: {
    createCharacter: PLAY,
    deleteCharacter: PLAY,
    pickUpItem: PLAY,
    dropItem: PLAY,
    putItemInto: PLAY,
    takeItemOut: PLAY,
    giveItem: PLAY,
    equipItem: PLAY,
    unequipItem: PLAY,
    look: PLAY,
    moveCharacter: PLAY,
    buyItem: PLAY,
    sellItem: PLAY,
    speak: PLAY,
    sendCommand: PLAY,
    saveLocations: BUILDING,
    saveItems: BUILDING,
    saveFolk: BUILDING,
    exportWorld: 'changes nothing',
  },
};
