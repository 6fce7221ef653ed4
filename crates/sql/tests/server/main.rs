//! Tests of the support schema and of translated DDL on a private PostgreSQL server.

mod cluster;
mod definitions;
mod functions;
mod queries;
mod statements;
