//! Statistics records of transactions, classes, and of all tasks together.

use crate::Region;
use crate::figures::{Reading, Record, RecordType, ResourceType};
use crate::name::{Name4, Name8};
use csd::TransactionDefinition;
use std::sync::atomic::Ordering;

pub(super) static TRANSACTIONS: RecordType = RecordType {
    of: ResourceType::Transaction,
    one: |reading, name| transaction(reading.region, Name4::new(name)),
    names: |region| region.transactions().names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

pub(super) static CLASSES: RecordType = RecordType {
    of: ResourceType::Tranclass,
    one: |reading, name| transaction_class(reading, Name8::new(name)),
    names: |region| region.transactions().class_names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

pub(super) static TASKS: RecordType =
    RecordType { of: ResourceType::TransactionManager, one: |reading, _| Some(transaction_manager(reading)), ..RecordType::NONE };

fn transaction_manager(reading: &Reading) -> Record {
    let figures = &reading.dispatcher().max_tasks;
    let at_limit = figures.active_current >= figures.limit;
    Record::new("DFHXMGDS", "")
        .number("XMGNUM", figures.attaches_user + figures.attaches_system)
        .number("XMGMXT", figures.limit)
        .number("XMGCAT", figures.active_current)
        .number("XMGCQT", figures.queued_current)
        .number("XMGTAMXT", figures.at_limit)
        .number("XMGPAT", figures.active_peak)
        .number("XMGPQT", figures.queued_peak)
        .number("XMGTAT", figures.attaches_user)
        .number("XMGTDT", figures.queued_total)
        .interval("XMGTQTME", figures.queue_time_total)
        .interval("XMGCQTME", figures.queue_time_current)
        .number("XMGTNUM", reading.region.statistics().transactions_before())
        .time_gmt("XMGGSMXT", figures.limit_set_at)
        .time_local("XMGLSMXT", figures.limit_set_at)
        .time_gmt("XMGGAMXT", figures.limit_reached_at)
        .time_local("XMGLAMXT", figures.limit_reached_at)
        .number("XMGATMXT", u8::from(at_limit))
}

fn transaction(region: &Region, name: Name4) -> Option<Record> {
    let transaction = region.transactions().find(name)?;
    let definition = transaction.definition();
    let TransactionDefinition { name, .. } = *definition;
    let yes = |on: bool| if on { "Y" } else { "N" };
    let record = Record::new("DFHXMRDS", name.to_string())
        .text("XMRTI", name.to_string())
        .text("XMRPN", definition.program.to_string())
        .text("XMRTCL", definition.tranclass.to_string())
        .text("XMRRNAM", definition.remote_name.to_string())
        .text("XMRRSYS", definition.remote_system.to_string())
        .number("XMRPRTY", definition.priority)
        .text("XMRDYN", yes(definition.dynamic))
        .number("XMRAC", transaction.attaches.load(Ordering::Relaxed))
        .number("XMRRC", transaction.restarts.load(Ordering::Relaxed))
        .number("XMRAENDC", transaction.abends.load(Ordering::Relaxed))
        .number("XMRITOV", definition.indoubt_wait_minutes)
        .text("XMRIWTOP", yes(definition.indoubt_wait))
        .text("XMRIACTN", if definition.indoubt_commit { "C" } else { "B" });
    Some(record.signed(region, "XMR_TRAN", "TRANSACTION", name.as_str()))
}

fn transaction_class(reading: &Reading, name: Name8) -> Option<Record> {
    let region = reading.region;
    let class = region.transactions().class(name)?;
    let statistics = reading.dispatcher();
    let transactions = region.transactions().names().into_iter().filter_map(|name| region.transactions().find(name));
    let members = transactions.filter(|transaction| transaction.definition().tranclass == name).count() as u64;
    let record = Record::new("DFHXMCDS", name.to_string())
        .text("XMCTCL", name.to_string())
        .number("XMCMXT", class.active_max)
        .number("XMCTH", class.purge_threshold)
        .number("XMCITD", members);
    let record = match statistics.classes.iter().find(|figures| figures.name == name) {
        None => record,
        Some(figures) => record
            .number("XMCTAT", figures.attaches)
            .number("XMCPI", figures.purged_at_once)
            .number("XMCTQ", figures.queued_total)
            .number("XMCAI", figures.accepted_at_once)
            .number("XMCAAQ", figures.queued_total.saturating_sub(figures.purged_queued))
            .number("XMCPWQ", figures.purged_queued)
            .number("XMCPAT", figures.active_peak)
            .number("XMCPQT", figures.queued_peak)
            .number("XMCTAMA", figures.at_limit)
            .number("XMCTAPT", figures.at_purge_threshold)
            .number("XMCCAT", figures.active_current)
            .number("XMCCQT", figures.queued_current)
            .interval("XMCTQTME", figures.queue_time_total)
            .interval("XMCCQTME", figures.queue_time_current),
    };
    Some(record.signed(region, "XMC_TCLASS", "TRANCLASS", name.as_str()))
}
