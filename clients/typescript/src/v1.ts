// The messages and services, generated from the protos.

export * from "./gen/adamas/v1/advisor_service_pb.js";
export * from "./gen/adamas/v1/dao_pb.js";
export * from "./gen/adamas/v1/diamonds_club_pb.js";
export * from "./gen/adamas/v1/diamonds_pb.js";
export * from "./gen/adamas/v1/diams_pb.js";
export * from "./gen/adamas/v1/game_pb.js";
export * from "./gen/adamas/v1/rules_service_pb.js";
