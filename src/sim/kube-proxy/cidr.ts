const number = (text: string): number => text.split(".").reduce((value, part) => value * 256 + Number(part), 0);

/** Whether an IPv4 address lies in a CIDR. */
export function inCIDR(address: string, cidr: string): boolean {
  const [base = "", bits = "32"] = cidr.split("/");
  let size = 1;
  for (let i = Number(bits); i < 32; i++) size *= 2;
  return Math.floor(number(address) / size) === Math.floor(number(base) / size);
}
