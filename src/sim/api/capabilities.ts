/** The kernel's capabilities by number (include/uapi/linux/capability.h). */
export const CAPABILITIES: readonly string[] = "CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE".split(" ");

/** A set as /proc/PID/status has it: "00000000a80425fb". */
export const capabilityMask = (names: readonly string[]): string => CAPABILITIES.reduce((sum, name, bit) => sum + (names.includes(name) ? 2 ** bit : 0), 0).toString(16).padStart(16, "0");
