/** What the operating system reports about a process. Linux only. */
import { readFileSync } from 'node:fs';

const TICK_MICROS = 10_000; // Linux counts CPU time in hundredths of a second (getconf CLK_TCK)

/** User and system CPU time of a process in microseconds. The resolution is 10 ms, so measure over seconds. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may contain spaces
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
