/** Whether a text has a word, in any letter case: an API may store codes and links in another one. */
export const hasInAnyCase = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase());
