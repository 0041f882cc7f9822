// View builders: what one seat sees at the table, as it happens, becomes its view.


export { DaoViewBuilder } from "./views/dao.js";
export {
  DiamondsClubViewBuilder,
  STANDARD_TABLES,
  type ClubTables,
} from "./views/diamonds-club.js";
export { DiamondsViewBuilder } from "./views/diamonds.js";
export { DiamsViewBuilder } from "./views/diams.js";
export { ViewBuilder } from "./views/builder.js";
