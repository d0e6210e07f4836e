// Models github.com/opencontainers/cgroups utils.go (runc >= 1.3.2, crun >= 1.23)
import type { CgroupValues, LinuxContainerResources } from "./messages.ts";

/** Base-2 logarithm by repeated squaring: only additions and multiplications, so that every engine agrees. */
function log2(value: number): number {
  let whole = 0;
  let x = value;
  while (x >= 2) {
    x /= 2;
    whole++;
  }
  let fraction = 0;
  for (let bit = 0.5, i = 0; i < 48; i++, bit /= 2) {
    x *= x;
    if (x < 2) continue;
    x /= 2;
    fraction += bit;
  }
  return whole + fraction;
}

/** 10 to the power of x, x between 0 and 5, by its series. */
function pow10(x: number): number {
  const LN10 = 2.302585092994046;
  const whole = Math.floor(x);
  const t = (x - whole) * LN10;
  let term = 1;
  let sum = 1;
  for (let i = 1; i < 40; i++) {
    term = (term * t) / i;
    sum += term;
  }
  for (let i = 0; i < whole; i++) sum *= 10;
  return sum;
}

/** cpu.weight of a container's cgroup for its CPU shares: a curve on which 1024 is 100. */
export function containerCpuWeight(shares: number): number {
  if (shares <= 2) return 1;
  if (shares >= 262_144) return 10_000;
  const l = log2(shares);
  return Math.ceil(pow10((l * l + 125 * l) / 612 - 7 / 34) - 1e-7);
}

/** The cgroup of one task under its Pod's, as the systemd driver names it. */
export const scopePath = (parent: string, id: string): string => `${parent}/cri-containerd-${id}.scope`;

/** The files of the pause process's cgroup: 2 CPU shares, no limit. */
export const sandboxCgroupFiles = (): CgroupValues => ({ "cpu.weight": "1", "cpu.max": "max 100000", "memory.max": "max" });

/** The files under a container's cgroup v2 directory. */
export function containerCgroupFiles(resources: LinuxContainerResources): CgroupValues {
  return {
    ...(resources.cpuShares > 0 ? { "cpu.weight": String(containerCpuWeight(resources.cpuShares)) } : {}),
    ...(resources.cpuQuota > 0 ? { "cpu.max": `${resources.cpuQuota} ${resources.cpuPeriod}` } : { "cpu.max": `max ${resources.cpuPeriod}` }),
    "memory.max": resources.memoryLimitInBytes > 0 ? String(resources.memoryLimitInBytes) : "max",
    ...resources.unified,
  };
}
