export const PeoplePage = () => null;
