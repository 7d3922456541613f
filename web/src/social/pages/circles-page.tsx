export const CirclesPage = () => null;
