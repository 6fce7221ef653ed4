//! The database through its public interface: first start, sign-on, several processes at the same file.

use security::{ADMINISTRATOR, DEFAULT_USER, Database, Moment, Name8, Reason, Secret, SignOn, Touched};

fn name(text: &str) -> Name8 {
    Name8::new(text).expect("a name")
}

fn sign_on<'a>(user: &str, secret: &'a Secret, new: Option<&'a Secret>) -> SignOn<'a> {
    SignOn { user: name(user), secret, new, group: None, application: name("CICSA"), terminal: None, card: None }
}

#[test]
fn the_administrator_changes_the_random_password_at_the_first_sign_on() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    let other = Database::open(directory.path()).unwrap();
    let password = database.create_administrator().unwrap().expect("there are no users yet");
    assert!(database.create_administrator().unwrap().is_none() && other.create_administrator().unwrap().is_none());
    let now = Moment::now();
    let reason = |secret: &Secret, new: Option<&Secret>| other.authenticate(&sign_on(ADMINISTRATOR, secret, new), now).unwrap_err();
    assert_eq!(reason(&password, None).reason, Reason::SecretExpired);
    assert_eq!((reason(&password, None).saf_return_code(), reason(&password, None).return_code()), (8, 12));
    assert_eq!(reason(&password, Some(&password)).reason, Reason::NewSecretInvalid);
    assert_eq!(reason(&Secret::new("WRONG"), None).reason, Reason::SecretWrong);
    let new = Secret::new("newpass1");
    let identity = other.authenticate(&sign_on(ADMINISTRATOR, &password, Some(&new)), now).unwrap();
    assert!(identity.attributes.special && identity.groups == [name("SYS1")] && identity.group == name("SYS1"));
    // The first process sees what the second did; passwords have no case.
    assert!(database.authenticate(&sign_on(ADMINISTRATOR, &Secret::new("NEWPASS1"), None), now).is_ok());
    let status = database.verify(name(ADMINISTRATOR), &new, name("CICSA"), now).unwrap();
    assert_eq!((status.days_left(now), status.used), (Some(30), Some(now)));
    // The default user is protected, which no password is right for.
    let refused = database.authenticate(&sign_on(DEFAULT_USER, &Secret::new(""), None), now).unwrap_err();
    assert_eq!(refused.reason, Reason::SecretWrong);
    assert_eq!(database.identify(name(DEFAULT_USER), None, now).unwrap().user, name(DEFAULT_USER));
    let unknown = database.authenticate(&sign_on("NOBODY", &new, None), now).unwrap_err();
    assert_eq!((unknown.reason, unknown.return_code()), (Reason::UserUnknown, 4));
}

#[test]
fn the_third_wrong_password_revokes_and_other_processes_hear_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    let region = Database::open(directory.path()).unwrap();
    let password = database.create_administrator().unwrap().unwrap();
    let (now, new) = (Moment::now(), Secret::new("NEWPASS1"));
    database.authenticate(&sign_on(ADMINISTRATOR, &password, Some(&new)), now).unwrap();
    let before = region.generation();
    let reasons = [(); 4].map(|()| database.authenticate(&sign_on(ADMINISTRATOR, &Secret::new("GUESS"), None), now).unwrap_err().reason);
    assert_eq!(reasons, [Reason::SecretWrong, Reason::SecretWrong, Reason::UserRevoked, Reason::UserRevoked]);
    assert!(region.generation() > before);
    assert_eq!(region.changes_since(before), Touched::Users(vec![name(ADMINISTRATOR)]));
    assert_eq!(region.changes_since(region.generation()), Touched::Users(vec![]));
    let refused = region.authenticate(&sign_on(ADMINISTRATOR, &new, None), now).unwrap_err();
    assert_eq!((refused.reason, refused.return_code()), (Reason::UserRevoked, 28));
    assert_eq!(region.identify(name(ADMINISTRATOR), None, now).unwrap_err().reason, Reason::UserRevoked);
}

#[test]
fn a_wrong_password_among_right_ones_is_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    let password = database.create_administrator().unwrap().unwrap();
    let (now, new) = (Moment::now(), Secret::new("NEWPASS1"));
    database.authenticate(&sign_on(ADMINISTRATOR, &password, Some(&new)), now).unwrap();
    for _ in 0..2 {
        for _ in 0..2 {
            database.authenticate(&sign_on(ADMINISTRATOR, &Secret::new("GUESS"), None), now).unwrap_err();
        }
        assert_eq!(database.verify(name(ADMINISTRATOR), &new, name("CICSA"), now).unwrap().failures, 2);
    }
}

/// A client that sends its password with every request is not told of a change too late.
#[test]
fn a_password_that_was_right_is_wrong_once_it_is_changed() {
    let directory = tempfile::tempdir().unwrap();
    let (database, other) = (Database::open(directory.path()).unwrap(), Database::open(directory.path()).unwrap());
    let password = database.create_administrator().unwrap().unwrap();
    let (now, first, second) = (Moment::now(), Secret::new("FIRST1"), Secret::new("SECOND2"));
    database.change_secret(name(ADMINISTRATOR), &password, &first, now).unwrap();
    for _ in 0..2 {
        assert!(database.authenticate(&sign_on(ADMINISTRATOR, &first, None), now).is_ok());
        assert!(database.authenticate(&sign_on(ADMINISTRATOR, &Secret::new("FIRST2"), None), now).is_err());
    }
    let started = std::time::Instant::now();
    let count = 200;
    (0..count).for_each(|_| drop(database.authenticate(&sign_on(ADMINISTRATOR, &first, None), now).unwrap()));
    let each = started.elapsed() / count;
    assert!(each < std::time::Duration::from_millis(5), "{each:?} a sign-on that is repeated");
    other.change_secret(name(ADMINISTRATOR), &first, &second, now).unwrap();
    assert_eq!(database.authenticate(&sign_on(ADMINISTRATOR, &first, None), now).unwrap_err().reason, Reason::SecretWrong);
    assert!(database.authenticate(&sign_on(ADMINISTRATOR, &second, None), now).is_ok());
    other.execute(&format!("ALTUSER {ADMINISTRATOR} REVOKE"), now);
    assert_eq!(database.authenticate(&sign_on(ADMINISTRATOR, &second, None), now).unwrap_err().reason, Reason::UserRevoked);
}
