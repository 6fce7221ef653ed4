//! The life of a private cluster: made, found again, started after a kill, stopped.

mod support;

use postgres::cluster::{ClusterError, PrivateCluster};
use postgres::{Broken, Config, Password, Session, ThreadWait};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;
use std::time::{Duration, Instant};
use support::{CONNECTIONS_MAX, Server, run, value};

#[test]
fn a_cluster_is_private_and_keeps_what_was_committed() {
    let server = Server::start();
    let mut session = server.session();
    assert_eq!(value(&mut session, "show listen_addresses"), "");
    assert_eq!(value(&mut session, "show max_connections"), CONNECTIONS_MAX.to_string());
    assert_eq!(value(&mut session, "show server_encoding"), "UTF8");
    assert_eq!(value(&mut session, "select datcollate from pg_database where datname = current_database()"), "C");
    let path = server.directory.path().join("database");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    let process = server.cluster.process().unwrap();
    assert_ne!(std::fs::metadata(format!("/proc/{process}")).unwrap().uid(), 0);
    // Every session may prepare a unit of work; it outlives the server.
    run(&mut session, "create table kept (number integer); insert into kept values (5)");
    run(&mut session, "begin; insert into kept values (6); prepare transaction 'pending'");
    server.cluster.stop().unwrap();
    assert_eq!(server.cluster.process(), None);
    server.cluster.stop().unwrap();
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(!again.adopted);
    let mut session = Session::connect(&again.owner_config(), &mut ThreadWait).unwrap();
    run(&mut session, "commit prepared 'pending'");
    assert_eq!(value(&mut session, "select sum(number) from kept"), "11");
    let second = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(second.adopted);
    assert_eq!(again.process(), second.process());
}

#[test]
fn a_server_that_was_killed_is_started_again() {
    let server = Server::start();
    let mut session = server.session();
    run(&mut session, "create table kept (number integer); insert into kept values (5)");
    let process = server.cluster.process().unwrap();
    // One process of it is in the middle of something, and ends only when it notices.
    session.query("select pg_sleep(1)");
    session.send().unwrap();
    let killed = Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    assert!(killed.success());
    let path = server.directory.path().join("database");
    let until = Instant::now() + Duration::from_secs(10);
    while server.cluster.process().is_some() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(!again.adopted);
    assert_ne!(again.process(), Some(process));
    let mut session = Session::connect(&again.owner_config(), &mut ThreadWait).unwrap();
    assert_eq!(value(&mut session, "select number from kept"), "5");
}

#[test]
fn a_server_that_ends_is_waited_for_and_started_anew() {
    let server = Server::start();
    let process = server.cluster.process().unwrap();
    let mut session = server.session();
    run(&mut session, "begin");
    // The patient shutdown (SIGTERM): it lasts as long as a session does, and refuses new ones.
    assert!(Command::new("kill").arg(process.to_string()).status().unwrap().success());
    let until = Instant::now() + Duration::from_secs(10);
    while Session::connect(&server.cluster.owner_config(), &mut ThreadWait).is_ok() && Instant::now() < until {}
    let ending = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        drop(session);
    });
    let again = PrivateCluster::open(&server.directory.path().join("database"), CONNECTIONS_MAX).unwrap();
    ending.join().unwrap();
    assert_ne!(again.process(), None);
    assert_eq!(again.adopted, again.process() == Some(process));
}

#[test]
fn a_stop_breaks_sessions() {
    let server = Server::start();
    let mut session = server.session();
    run(&mut session, "begin");
    server.cluster.stop().unwrap();
    session.query("select 1");
    let broken = loop {
        if let Err(broken) = session.receive(&mut ThreadWait) {
            break broken;
        }
    };
    assert!(matches!(broken, Broken::Ended(_)), "{broken:?}");
}

#[test]
fn the_application_is_not_the_owner_of_the_cluster() {
    let server = Server::start();
    let config = server.cluster.config();
    let mut session = Session::connect(&config, &mut ThreadWait).unwrap();
    assert_eq!(session.parameter("is_superuser"), Some("off"));
    run(&mut session, "create schema own; create table own.t (n integer)");
    assert_eq!(
        value(&mut session, "select rolcreaterole or rolcreatedb or rolreplication from pg_roles where rolname = current_user"),
        "f"
    );
    // Nobody gets in without the owner's password, or with another.
    for password in [Password::None, Password::Value("guess".to_string())] {
        let owner = Config { password, ..server.cluster.owner_config() };
        assert!(Session::connect(&owner, &mut ThreadWait).is_err());
    }
    let passwords = server.directory.path().join("database/passwords");
    assert_eq!(std::fs::metadata(passwords).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_cluster_whose_sessions_were_its_owner_gives_the_application_its_objects() {
    let server = Server::start();
    let path = server.directory.path().join("database");
    run(
        &mut server.session(),
        "reassign owned by regent_application to regent; drop owned by regent_application; drop role regent_application; \
         create schema own; create table own.t (n integer generated always as identity, m integer); create sequence own.s; \
         create domain own.d as integer; create view own.v as select * from own.t; insert into own.t (m) values (5)",
    );
    std::fs::write(path.join("data/pg_hba.conf"), "local all all trust\n").unwrap();
    std::fs::remove_file(path.join("passwords")).unwrap();
    server.cluster.stop().unwrap();
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    let mut session = Session::connect(&again.config(), &mut ThreadWait).unwrap();
    run(
        &mut session,
        "drop view own.v; alter table own.t add k integer; insert into own.t (m) values (6); drop domain own.d; drop sequence own.s",
    );
    assert_eq!(value(&mut session, "select sum(m) from own.t"), "11");
    // The passwords are lost while the server runs.
    std::fs::remove_file(path.join("passwords")).unwrap();
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(again.adopted);
    assert!(Session::connect(&again.config(), &mut ThreadWait).is_ok());
}

#[test]
fn new_passwords_that_a_process_could_not_announce_lock_nobody_out() {
    let server = Server::start();
    let path = server.directory.path().join("database");
    std::fs::remove_file(path.join("passwords")).unwrap();
    // The rules of the server cannot be replaced, as if the process ended there.
    let obstacle = path.join("data/pg_hba.unfinished");
    std::fs::create_dir(&obstacle).unwrap();
    assert!(PrivateCluster::open(&path, CONNECTIONS_MAX).is_err());
    std::fs::remove_dir(&obstacle).unwrap();
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(Session::connect(&again.config(), &mut ThreadWait).is_ok());
    // The rules are replaced, and the server has not been told.
    std::fs::remove_file(path.join("passwords")).unwrap();
    std::fs::write(path.join("data/pg_hba.conf"), "local all all trust\n").unwrap();
    let begun = Instant::now();
    let again = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(4), "the server is asked, not waited for");
    assert!(Session::connect(&again.config(), &mut ThreadWait).is_ok());
}

#[test]
fn a_start_is_given_up_and_a_server_that_was_started_for_nothing_is_ended() {
    let server = Server::start();
    let path = server.directory.path().join("database");
    server.cluster.stop().unwrap();
    let given_up = std::sync::atomic::AtomicBool::new(true);
    let error = PrivateCluster::open_unless(&path, CONNECTIONS_MAX, &given_up).unwrap_err();
    assert!(matches!(error, ClusterError::GivenUp), "{error}");
    assert_eq!(server.cluster.process(), None);
    // Something stands in the way after the start.
    std::fs::remove_file(path.join("passwords")).unwrap();
    std::fs::write(path.join("data/pg_hba.conf"), "local regent all trust\n").unwrap();
    std::fs::write(path.join("passwords"), "*:*:*:regent:wrong\n*:*:*:regent_application:wrong\n").unwrap();
    std::fs::set_permissions(path.join("passwords"), std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(PrivateCluster::open(&path, CONNECTIONS_MAX).is_err());
    assert_eq!(server.cluster.process(), None);
    PrivateCluster::end(&path).unwrap();
}

#[test]
fn two_that_open_it_at_once_share_one_server() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("database");
    let open = || PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(open);
        (open(), second.join().unwrap())
    });
    assert_eq!(first.process(), second.process());
    assert_ne!(first.adopted, second.adopted);
    first.stop().unwrap();
}

#[test]
fn a_path_too_long_for_a_socket_is_served_and_half_a_cluster_is_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("d".repeat(100));
    // What initdb leaves when it is killed.
    std::fs::create_dir_all(path.join("data.unfinished/base")).unwrap();
    let cluster = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap();
    let socket_directory = cluster.config().host;
    assert!(socket_directory.starts_with("/tmp/regent-database-"), "{socket_directory}");
    assert!(PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap().adopted);
    cluster.stop().unwrap();
    std::fs::remove_dir(socket_directory).unwrap();
}

#[test]
fn data_of_another_version_is_refused() {
    let server = Server::start();
    server.cluster.stop().unwrap();
    let path = server.directory.path().join("database");
    std::fs::write(path.join("data/PG_VERSION"), "9.6\n").unwrap();
    let error = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap_err();
    assert!(matches!(&error, ClusterError::OtherVersion { data, .. } if data == "9.6"), "{error}");
}

#[test]
fn a_start_that_fails_tells_what_the_server_said() {
    let server = Server::start();
    server.cluster.stop().unwrap();
    let path = server.directory.path().join("database");
    // A long log is set aside.
    let log = std::fs::OpenOptions::new().write(true).open(server.cluster.log()).unwrap();
    log.set_len((16 << 20) + 1).unwrap();
    let configuration = path.join("data/postgresql.auto.conf");
    std::fs::write(configuration, "work_mem = 'none'\n").unwrap();
    let error = PrivateCluster::open(&path, CONNECTIONS_MAX).unwrap_err().to_string();
    assert!(error.contains("work_mem"), "{error}");
    assert!(std::fs::read_to_string(server.cluster.log()).unwrap().contains("work_mem"));
    assert_eq!(std::fs::metadata(path.join("log.old")).unwrap().len(), (16 << 20) + 1);
}
