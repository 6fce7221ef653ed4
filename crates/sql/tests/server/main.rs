//! Tests of the support schema and of translated DDL on a private PostgreSQL server.

mod cluster;
mod definitions;
mod functions;
mod guards;
mod queries;
mod statements;
