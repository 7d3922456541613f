export const ReportsPage = () => null;
