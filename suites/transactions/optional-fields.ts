/** The optional fields of a payment (sections 4.2 and 4.3) except `message`, which every request of this suite has. */
export const OPTIONAL_FIELDS = { ipAddress: "192.0.2.10", fees: 0, isLive: false } as const;
