//! SET BUNDLE AVAILABLE and UNAVAILABLE: the entry points of an enabled bundle are opened and closed.
//!
//! The status is kept over a warm or emergency start (table `rl.available`: name of the bundle; nothing), so that users of an application find it
//! again. Source: CICS TS 5.5, "Application entry points", "SET BUNDLE". Invariant: an entry point is open only while its bundle is available.

use super::part::Content;
use crate::Policies;
use region::application::Context;
use region::changes::Change;
use region::name::{Name4, Name8};
use region::{Region, StartType};
use std::sync::Arc;
use vsam::{Change as StoreChange, Direction, StoreError, Table, ThreadWaiter};

/// Why the status of a bundle is not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    NoEntryPoints,
    NotEnabled,
    NotChanged,
}

/// The entry points of a bundle: type, name, context.
fn entry_points(region: &Region, bundle: &str) -> Vec<(&'static str, String, Arc<Context>)> {
    let bundles = Policies::of(region).bundles.lock();
    let parts = bundles.get(bundle).map_or(&[][..], |bundle| &bundle.parts);
    let of = |content: &Content, name: &str| match content {
        Content::EntryPoint { resource, context } => Some((*resource, name.to_string(), context.clone())),
        _ => None,
    };
    parts.iter().filter_map(|part| of(&part.content, &part.entry.name)).collect()
}

/// Opens or closes the entry points of a bundle.
///
/// # Errors
///
/// The bundle has none or is not enabled, or one cannot be opened, which a message names.
pub fn set(region: &'static Region, bundle: &str, available: bool) -> Result<(), Fault> {
    let points = entry_points(region, bundle);
    let (is_enabled, was_available) = {
        let bundles = Policies::of(region).bundles.lock();
        bundles.get(bundle).map_or((false, false), |bundle| (bundle.is_enabled, bundle.is_available))
    };
    if points.is_empty() {
        return Err(Fault::NoEntryPoints);
    }
    if available && !is_enabled {
        return Err(Fault::NotEnabled);
    }
    if available == was_available {
        return Ok(());
    }
    if available {
        open(region, bundle, &points)?;
    } else {
        points.iter().for_each(|(resource, name, context)| close(region, resource, name, context));
    }
    if let Some(bundle) = Policies::of(region).bundles.lock().get_mut(bundle) {
        bundle.is_available = available;
    }
    keep(region, bundle, available);
    let word = |available: bool| if available { "AVAILABLE" } else { "UNAVAILABLE" };
    region.changes.tell(region, Change::BundleAvailable { bundle, from: word(was_available), to: word(available) });
    let status = if available { "available" } else { "unavailable" };
    region.messages.send("DFHRL0132", &[("bundle", bundle), ("status", status)]);
    Ok(())
}

fn open(region: &'static Region, bundle: &str, points: &[(&'static str, String, Arc<Context>)]) -> Result<(), Fault> {
    for (at, (resource, name, context)) in points.iter().enumerate() {
        let opened = match *resource {
            "PROGRAM" => region.programs().open_entry_point(region, Name8::new(name), context),
            _ => open_transaction(region, name, context),
        };
        if let Err(reason) = opened {
            let values = [("bundle", bundle), ("type", *resource), ("name", name), ("reason", reason.as_str())];
            region.messages.send("DFHRL0133", &values);
            points[..at].iter().for_each(|(resource, name, context)| close(region, resource, name, context));
            return Err(Fault::NotChanged);
        }
    }
    Ok(())
}

fn open_transaction(region: &Region, name: &str, context: &Arc<Context>) -> Result<(), String> {
    let transaction = region.transactions().find(Name4::new(name)).ok_or("it is not defined")?;
    if transaction.entry_point().is_some() {
        return Err("it is an application entry point already".to_string());
    }
    transaction.declare(Some(context.clone()));
    transaction.withhold(false);
    Ok(())
}

fn close(region: &Region, resource: &str, name: &str, context: &Context) {
    if resource == "PROGRAM" {
        region.programs().close_entry_point(Name8::new(name), context);
    } else if let Some(transaction) = region.transactions().find(Name4::new(name)) {
        transaction.declare(None);
        transaction.withhold(defines_transaction(region, name, context));
    }
}

/// The application of an entry point, or its bundle, defines the transaction too: then nobody uses it while the entry point is closed.
fn defines_transaction(region: &Region, name: &str, context: &Context) -> bool {
    let bundles = Policies::of(region).bundles.lock();
    let of_application = bundles.values().filter(|bundle| bundle.application == context.application);
    let mut contents = of_application.flat_map(|bundle| &bundle.parts).map(|part| &part.content);
    contents.any(|content| matches!(content, Content::Resource(of) if of.resource.name == "TRANSACTION" && of.name == name))
}

/// Withholds the transactions that are entry points of a bundle just installed.
pub fn withhold(region: &Region, bundle: &str) {
    for (resource, name, context) in entry_points(region, bundle) {
        if resource == "TRANSACTION"
            && let Some(transaction) = region.transactions().find(Name4::new(&name))
            && transaction.entry_point().is_none()
        {
            transaction.withhold(defines_transaction(region, &name, &context));
        }
    }
}

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("rl.available")
}

fn keep(region: &Region, bundle: &str, available: bool) {
    let kept = table(region).and_then(|table| {
        let change = StoreChange { table, key: bundle.as_bytes().to_vec(), value: available.then(Vec::new) };
        region.store.publish(vec![change], &ThreadWaiter::new())
    });
    if let Err(error) = kept {
        tracing::warn!(target: "region::policies", %error, bundle, "the catalogue does not have the availability of a bundle");
    }
}

/// The names that the last run left available; a cold or initial start forgets them.
///
/// # Errors
///
/// The store cannot be read.
pub fn recover(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    let table = table(region)?;
    let mut names: Vec<String> = Vec::new();
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, _| {
        names.push(String::from_utf8_lossy(key).into_owned());
        true
    })?;
    if matches!(start_type, StartType::Warm | StartType::Emergency) {
        *Policies::of(region).left_available.lock() = names;
    } else {
        names.iter().for_each(|name| keep(region, name, false));
    }
    Ok(())
}

/// The region is installed: bundles that were available are again.
pub fn reopen(region: &'static Region) {
    let names = std::mem::take(&mut *Policies::of(region).left_available.lock());
    for name in names {
        if set(region, &name, true).is_err() {
            keep(region, &name, false);
        }
    }
}
