export type RequirementId = `R${number}${number}${number}`;
